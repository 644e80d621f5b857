import type { Inspector } from "./inspector.ts";
import type { Chat } from "./plain-chat.ts";

/**
 * A chat model by its `provider:model` name as the inspector of groups. The libraries behind it are large, so they are
 * loaded only when a model is asked for.
 *
 * @throws GraderError `bad_config` for an unknown provider, a package that is not installed, or a missing key.
 */
export async function loadInspector(spec: string): Promise<Inspector> {
  const [{ chatInspector }, { resolveModel }] = await Promise.all([
    import("./chat.ts"),
    import("./resolve.ts"),
  ]);
  return chatInspector(await resolveModel(spec), spec);
}

/** The same model as one that answers text with text. @throws GraderError `bad_config` as `loadInspector`. */
export async function loadChat(spec: string): Promise<Chat> {
  const [{ plainChat }, { resolveModel }] = await Promise.all([
    import("./plain-chat.ts"),
    import("./resolve.ts"),
  ]);
  return plainChat(await resolveModel(spec), spec);
}
