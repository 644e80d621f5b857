import type { ImportEntry } from "./import.ts";
import type { TrajectoryEvent, TrajectoryFormat } from "../schema/trajectory.ts";

/** Object id of a git tree or blob in the workspace's own store. */
export type Oid = string;

export interface TreeEntry {
  /** Slash-separated path in the tree. Bytes that are not UTF-8 stand as U+FFFD. */
  path: string;
  /** 100644, 100755, 120000 (symlink; its text is the target) or 160000 (submodule; no content). */
  mode: string;
  oid: Oid;
  /** Bytes. */
  size: number;
}

/** `text` has no line end; `old` and `new` are 1-based line numbers in the two versions, where the line exists. */
export interface DiffLine {
  kind: "context" | "added" | "removed";
  text: string;
  old?: number;
  new?: number;
}

export interface Hunk {
  /** `f1.h2`: second hunk of the first file of this rollout's change, in path order. */
  id: string;
  header: string;
  lines: DiffLine[];
}

export type FileClass = "source" | "test" | "test_config" | "docs" | "lock" | "build" | "other";

/** One file of the change from the base tree to a rollout's tree. */
export interface FileDiff {
  id: string;
  path: string;
  /** Where it was before, for a rename or copy. */
  old_path?: string;
  status: "added" | "modified" | "deleted" | "renamed" | "type_changed";
  old_mode: string;
  new_mode: string;
  /** By path alone: what part of a project the file belongs to. */
  class: FileClass;
  /** A binary file has no hunks. */
  binary: boolean;
  hunks: Hunk[];
  added: number;
  removed: number;
}

/** The five states of a submitted patch. Only `present` and `empty` give a tree. */
export type PatchState = "present" | "empty" | "null" | "absent" | "unparsable";

/** How a patch was applied; `none` for an empty one. */
export type ApplyStep = "exact" | "line-ends" | "recount" | "ignore-whitespace" | "none";

export interface PatchOutcome {
  state: PatchState;
  /** Missing when the patch gives no tree. */
  tree?: Oid;
  step?: ApplyStep;
  /** What git or the pre-check said when it was refused. */
  reason?: string;
  /** Binary files that the patch names without their content: they are not in the tree. */
  left_out?: string[];
  bytes: number;
}

/** Reading side of the object store. Every path is a path in a tree: nothing on the host can be named. */
export interface ObjectStore {
  list(tree: Oid): Promise<TreeEntry[]>;
  /** The entry of a path, or undefined. */
  entry(tree: Oid, path: string): Promise<TreeEntry | undefined>;
  /** Whole file as text, or undefined when absent, a submodule, binary or larger than `maxBytes`. */
  readText(tree: Oid, path: string, maxBytes?: number): Promise<string | undefined>;
  readBlob(oid: Oid, maxBytes: number): Promise<Buffer | undefined>;
  diff(from: Oid, to: Oid): Promise<FileDiff[]>;
  /** Lines matching `pattern`, at most `limit`; `more` when it stopped early. */
  grep(tree: Oid, query: GrepQuery): Promise<{ matches: GrepMatch[]; more: boolean }>;
}

export interface GrepQuery {
  pattern: string;
  /** Plain text unless true (POSIX extended regular expression). */
  regex?: boolean;
  ignoreCase?: boolean;
  /** Whole words only. */
  word?: boolean;
  /** Folder or file to search in. */
  path?: string;
  limit: number;
}

export interface GrepMatch {
  path: string;
  line: number;
  text: string;
}

/** Reading side of one rollout's trajectory. Events are read from disk; nothing holds the whole record. */
export interface TrajectoryStore {
  format: TrajectoryFormat;
  version?: string;
  exit?: string;
  turns: number;
  /** All ids, in order. */
  ids: readonly string[];
  get(id: string): Promise<TrajectoryEvent | undefined>;
  events(): AsyncIterable<TrajectoryEvent>;
  /** In order; an observation that answers a call is part of the call's row. */
  summary: readonly EventSummary[];
}

/** A text that stays on disk until it is asked for. */
export interface StoredText {
  bytes: number;
  read(): Promise<string>;
}

/** One line of a trajectory's summary: what a turn did, without its content. */
export interface EventSummary {
  id: string;
  turn: number;
  kind: TrajectoryEvent["kind"];
  role: TrajectoryEvent["role"];
  /** Calls: tool name and what it was aimed at. Others: the first characters of the text. */
  about: string;
  /** Calls: how the observation ended. */
  outcome?: NonNullable<TrajectoryEvent["status"]>;
  exit_code?: number;
  /** Bytes of the text, or of the observation for a call. */
  bytes: number;
}

/** One rollout inside the workspace, under its blind label. */
export interface WorkspaceRollout {
  /** Blind label: A, B, ... AA, ... */
  label: string;
  passed: boolean | null;
  patch: PatchOutcome;
  /** Change from the base tree; empty when the patch gives no tree. */
  files: FileDiff[];
  trajectory?: TrajectoryStore;
  testOutput?: StoredText;
}

/** What the grader, its tools and its detectors share about one group. */
export interface Workspace {
  /** Folder on the host that holds the store, the logs and the trace. */
  dir: string;
  task: { id: string; statement: string };
  testCommand?: string;
  store: ObjectStore;
  base: Oid;
  /** The base with the visible tests on top; equals `base` when the group declares none. */
  testsTree: Oid;
  /** In label order. */
  rollouts: WorkspaceRollout[];
  rollout(label: string): WorkspaceRollout | undefined;
}

/** A folder of a container image. */
export interface ImagePlace {
  image: string;
  workdir: string;
}

/** What a folder of an image holds of its repository. */
export interface ImageFiles {
  /** Names the content. */
  key: string;
  /** Missing where the image's git told what is tracked: then how the repository was told from what was built in it. */
  guessed?: string;
  entries(onSkip: (path: string, why: string) => void): AsyncIterable<ImportEntry>;
}
