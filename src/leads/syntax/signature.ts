import type { Language } from "./language.ts";
import type { Param } from "./params.ts";

/** One difference between two parameter lists. `breaks`: a caller that was right before may be wrong now. */
export interface ParamChange {
  kind: "added" | "removed" | "renamed" | "moved" | "default";
  param: Param;
  breaks: boolean;
  /** For people: what happened to the parameter. */
  says: string;
}

/** Callers can give arguments by name, so a parameter's name is part of the interface. */
const BY_NAME = new Set<Language>(["python", "kotlin", "swift", "csharp", "scala"]);

const idOf = (param: Param) => (param.name === "" ? param.text : param.name);
const plainDefault = (param: Param) => param.default?.replaceAll(/['"`]/g, '"');

function additions(old: readonly Param[], now: readonly Param[]): ParamChange[] {
  const known = new Set(old.map(idOf));
  return now.flatMap((param, at): ParamChange[] => {
    if (known.has(idOf(param))) return [];
    const follower = now
      .slice(at + 1)
      .find((other) => known.has(idOf(other)) && !other.keywordOnly && !other.rest);
    const middle = follower !== undefined && !param.keywordOnly && !param.rest;
    const how = middle ? `before ${idOf(follower)}` : param.optional ? "at the end" : "as required";
    return [
      {
        kind: "added",
        param,
        breaks: middle || !param.optional,
        says: `adds ${param.rest ? param.text.replaceAll(" ", "") : idOf(param)} ${how}`,
      },
    ];
  });
}

function shared(old: readonly Param[], now: readonly Param[]): ParamChange[] {
  const later = new Map(now.map((param) => [idOf(param), param]));
  const orderOld = old.map(idOf).filter((id) => later.has(id));
  const orderNow = now.map(idOf).filter((id) => orderOld.includes(id));
  return old.flatMap((param): ParamChange[] => {
    const match = later.get(idOf(param));
    if (match === undefined) return [];
    const id = idOf(param);
    if (orderOld.indexOf(id) !== orderNow.indexOf(id))
      return [{ kind: "moved", param: match, breaks: true, says: `moves ${id}` }];
    if (param.optional && !match.optional)
      return [{ kind: "default", param: match, breaks: true, says: `makes ${id} required` }];
    const changed =
      param.default !== undefined &&
      match.default !== undefined &&
      plainDefault(param) !== plainDefault(match);
    return changed
      ? [
          {
            kind: "default",
            param: match,
            breaks: true,
            says: `changes the default of ${id} to ${match.default ?? ""}`,
          },
        ]
      : [];
  });
}

/** What changed between two parameter lists as callers see it; types alone do not count. */
export function compareParams(
  old: readonly Param[],
  now: readonly Param[],
  language: Language,
): ParamChange[] {
  const added = additions(old, now);
  const remaining = new Set(now.map(idOf));
  const gone = old.filter((param) => !remaining.has(idOf(param)));
  // A new name where an old one stood is a rename, and for many languages no difference at all.
  const renamed = gone.flatMap((param) =>
    added.filter((change) => change.param === now[old.indexOf(param)]).map((change) => ({ param, change })),
  );
  const renames = renamed.map(({ param, change }): ParamChange => ({
    kind: "renamed",
    param: change.param,
    breaks: true,
    says: `renames ${idOf(param)} to ${idOf(change.param)}`,
  }));
  const removed = gone.filter((param) => !renamed.some((pair) => pair.param === param));
  return [
    ...added.filter((change) => !renamed.some((pair) => pair.change === change)),
    ...(BY_NAME.has(language) ? renames : []),
    ...removed.map((param): ParamChange => ({
      kind: "removed",
      param,
      breaks: true,
      says: `removes ${idOf(param)}`,
    })),
    ...shared(old, now),
  ];
}
