import type { Inspector } from "./inspector.ts";
import type { Chat } from "./plain-chat.ts";

export interface LoadOptions {
  /** Whether the model is offered the tools that run code. Default true; false where there is no sandbox. */
  checks?: boolean;
}

/**
 * A chat model by its `provider:model` name as the inspector of groups. The libraries behind it are large, so they are
 * loaded only when a model is asked for.
 *
 * @throws GraderError `bad_config` for an unknown provider, a package that is not installed, or a missing key.
 */
export async function loadInspector(spec: string, { checks = true }: LoadOptions = {}): Promise<Inspector> {
  const [{ chatInspector }, { resolveModel }, { CHECK_TOOLS, TOOLS }] = await Promise.all([
    import("./chat.ts"),
    import("./resolve.ts"),
    import("../tools/index.ts"),
  ]);
  const tools = checks ? TOOLS : TOOLS.filter((tool) => !CHECK_TOOLS.includes(tool));
  return chatInspector(await resolveModel(spec), spec, tools);
}

/** The same model as one that answers text with text. @throws GraderError `bad_config` as `loadInspector`. */
export async function loadChat(spec: string): Promise<Chat> {
  const [{ plainChat }, { resolveModel }] = await Promise.all([
    import("./plain-chat.ts"),
    import("./resolve.ts"),
  ]);
  return plainChat(await resolveModel(spec), spec);
}
