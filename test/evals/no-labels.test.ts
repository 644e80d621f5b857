import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { openGraders } from "../../src/evals/graders/index.ts";
import { runGraders } from "../../src/evals/run.ts";
import { openSuites } from "../../src/evals/suites/index.ts";
import { gradeGroup, offlineInspector } from "../../src/index.ts";
import { fakeOpenAI, type Reply, type Seen } from "../helpers/fake-openai.ts";
import { tempDir } from "../helpers/temp-dir.ts";
import { labelledGroup } from "./labelled.ts";

const CANARIES = ["CANARY_claim_7f3a", "CANARY_note_91bd", "CANARY_hidden_55e0", "CANARY_order_02c8"];

interface Labels {
  rollouts: Record<string, { findings: { claim: string }[]; note?: string }>;
  hidden_checks: { claim: string }[];
}

/** A labelled group whose labels say things that stand nowhere else, and all that a grader must not see of them. */
function canaryGroup() {
  const secrets = [...CANARIES];
  const made = labelledGroup("tagwire-filter-args", (value) => {
    const labels = value as unknown as Labels;
    for (const { findings } of Object.values(labels.rollouts))
      secrets.push(...findings.map(({ claim }) => claim));
    secrets.push(...labels.hidden_checks.map(({ claim }) => claim));
    const { r01 } = labels.rollouts;
    if (r01 === undefined) throw new Error("no r01");
    r01.findings[0] = { ...r01.findings[0], claim: CANARIES[0] ?? "" };
    r01.note = CANARIES[1] ?? "";
    labels.hidden_checks[0] = { claim: CANARIES[2] ?? "" };
    value["comment"] = CANARIES[3];
  });
  return { ...made, secrets };
}

const found = (text: string, secrets: readonly string[]) =>
  secrets.filter((secret) => text.includes(secret) || text.includes(JSON.stringify(secret).slice(1, -1)));

/** Everything that lies below a folder, as text. */
function bytesBelow(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"))
    .join("\n");
}

beforeEach(() => {
  onTestFinished(() => void vi.unstubAllEnvs());
});

/** What an inquisitive grader asks for: whatever may hold labels, by every tool that takes a path or a word. */
const PRYING = ["base", "A"].flatMap((tree) => [
  { name: "list_files", args: { tree } },
  { name: "list_files", args: { tree, folder: "labels" } },
  { name: "list_files", args: { tree, folder: ".." } },
  ...["labels/labels.json", "../labels/labels.json", "/labels/labels.json", "../group.json"].map((path) => ({
    name: "read_file",
    args: { tree, path },
  })),
  { name: "search_code", args: { tree, pattern: "CANARY" } },
  { name: "search_code", args: { tree, pattern: "expect_fail" } },
  { name: "search_trajectory", args: { text: "CANARY" } },
  { name: "read_summary", args: { rollout: "A" } },
  { name: "read_test_output", args: { rollout: "A" } },
]);

/** Pries, then places everything that is listed in tier 1. */
function agent(request: Seen): Reply {
  const text = JSON.stringify(request.messages);
  if (!text.includes("search_trajectory")) return { calls: PRYING };
  const labels = [...new Set([...text.matchAll(/\b([A-Z]): passed/g)].map((match) => match[1] ?? ""))];
  const verdict = { tier_1: labels, tier_2: [], tier_3: [], ranking: [labels] };
  return { calls: [{ name: "submit_verdict", args: verdict }] };
}

/** Grades the group with both graders that ask a model. */
async function askModels(group: { group: string }, out: string) {
  await using server = await fakeOpenAI((request) =>
    (request.tools ?? []).length > 0 ? agent(request) : { text: "no answer" },
  );
  vi.stubEnv("OPENAI_BASE_URL", server.url);
  vi.stubEnv("OPENAI_API_KEY", "test");
  const { cases, failures } = await openSuites([group.group], 0);
  expect(failures).toEqual([]);
  const graders = await openGraders(["agent", "one-prompt"], { model: "openai:fake" });
  const fixed = { repeat: 1, seed: 0, concurrency: 1, resume: false, deadline: 60 };
  await runGraders({ cases, graders, out, ...fixed });
  return { cases, seen: server.seen, said: JSON.stringify(server.seen) };
}

test("labels never reach a grader: not the model, not a tool's answer, not the workspace", async () => {
  using group = canaryGroup();
  using out = tempDir();
  const { cases, seen, said } = await askModels(group, out.path);
  expect(found(JSON.stringify(cases[0]?.labels), group.secrets).length).toBeGreaterThan(5);
  expect(found(said, group.secrets)).toEqual([]);
  expect(found(bytesBelow(out.path), group.secrets)).toEqual([]);
  // Both graders asked, and the tools understood what was asked, or nothing would be proved.
  expect(new Set(seen.map(({ tools }) => tools === undefined))).toEqual(new Set([false, true]));
  expect(said).toMatch(/src\/filters\.js/);
  expect(said).not.toMatch(/Input validation error/);
});

test("the net is fine enough: a copy of the labels in the repository is caught", async () => {
  using group = canaryGroup();
  using out = tempDir();
  cpSync(join(group.group, "labels/labels.json"), join(group.group, "repo/notes.json"));
  const { said } = await askModels(group, out.path);
  expect(found(said, group.secrets)).toContain("CANARY_claim_7f3a");
  expect(found(bytesBelow(out.path), group.secrets)).toContain("CANARY_claim_7f3a");
});

test("nor the offline grader, whose tools and workspace hold nothing of them", async () => {
  using group = canaryGroup();
  using out = tempDir();
  const { cases } = await openSuites([group.group], 0);
  const [one] = cases;
  if (one === undefined) throw new Error("no case");
  const heard: string[] = [];
  const inspector = offlineInspector();
  await gradeGroup(one.loaded, {
    rankOnly: true,
    workspaceDir: join(out.path, "w"),
    inspector: {
      ...inspector,
      next(entries, signal) {
        heard.push(JSON.stringify(entries));
        return inspector.next(entries, signal);
      },
    },
  });
  expect(heard.length).toBeGreaterThan(1);
  expect(found(heard.join(), group.secrets)).toEqual([]);
  expect(found(bytesBelow(out.path), group.secrets)).toEqual([]);
});

test("nor a module, which is handed contents and no folder", async () => {
  using group = canaryGroup();
  using dir = tempDir();
  const seen = join(dir.path, "seen.json");
  const file = join(dir.path, "prying.mjs");
  writeFileSync(
    file,
    `import { writeFileSync } from "node:fs";
    export default (...given) => { writeFileSync(${JSON.stringify(seen)}, JSON.stringify(given)); return {}; };`,
  );
  cpSync(group.group, join(dir.path, "copy"), { recursive: true });
  const { cases } = await openSuites([join(dir.path, "copy")], 0);
  const [grader] = await openGraders([file], {});
  if (cases[0] === undefined) throw new Error("no case");
  await grader?.grade(cases[0].loaded, {
    seed: 0,
    signal: new AbortController().signal,
    deadline: 60,
    resume: false,
  });
  const text = readFileSync(seen, "utf8");
  expect(text).toMatch(/diff --git/);
  expect(found(text, [...group.secrets, dir.path])).toEqual([]);
});
