import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { maskSecrets } from "../../src/sources/secrets.ts";
import { readTrajectoryValue } from "../../src/sources/trajectories/detect.ts";

// Put together here, so that no scanner of this repository takes them for real.
const letters = "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7aB3dE6gH9jK2mN5pQ8sT1vW4yZ7";
const upper = letters.toUpperCase();
const block = (words: string): string =>
  `-----BEGIN ${words}PRIVATE KEY-----\n${letters}\n${letters}==\n-----END ${words}PRIVATE KEY-----`;

describe("what is masked", () => {
  test.each([
    [`key: sk-${letters.slice(0, 40)}`, "key: [secret masked]"],
    [`sk-ant-api03-${letters}-_x`, "[secret masked]"],
    [`sk-proj-${letters}`, "[secret masked]"],
    [`(ghp_${letters.slice(0, 36)})`, "([secret masked])"],
    [`https://x:ghs_${letters.slice(0, 36)}@github.com/a/b`, "https://x:[secret masked]@github.com/a/b"],
    [`github_pat_${letters.slice(0, 30)}`, "[secret masked]"],
    [`id=AKIA${upper.slice(0, 16)}`, "id=[secret masked]"],
    [`AIza${letters.slice(0, 35)}`, "[secret masked]"],
    [`hf_${letters.slice(0, 34)}`, "[secret masked]"],
    [`xoxb-123456789012-${letters.slice(0, 20)}`, "[secret masked]"],
    [`Authorization: Bearer ${letters}`, "Authorization: Bearer [secret masked]"],
    ["PASSWORD=hunter22", "PASSWORD=[secret masked]"],
    ["export POSTGRES_PASSWORD='correct horse'", "export POSTGRES_PASSWORD='[secret masked]'"],
    [`HOME=/root\nDEPLOY_TOKEN=${letters}\nLANG=C`, "HOME=/root\nDEPLOY_TOKEN=[secret masked]\nLANG=C"],
    [
      `AWS_SECRET_ACCESS_KEY=${letters.slice(0, 19)}/${letters.slice(0, 20)}`,
      "AWS_SECRET_ACCESS_KEY=[secret masked]",
    ],
    [`{"SERVICE_API_KEY": "${letters}"}`, '{"SERVICE_API_KEY": "[secret masked]"}'],
    [`before\n${block("RSA ")}\nafter`, "before\n[secret masked]\nafter"],
    [block("OPENSSH ").replaceAll("\n", "\\n"), "[secret masked]"],
    [block("").slice(0, 120), "[secret masked]"],
  ])("%j", (text, masked) => {
    expect(maskSecrets(text)).toEqual({ text: masked, count: 1 });
  });
});

describe("what is not", () => {
  test.each([
    "a task-management-system-for-everyone2",
    "sk-learn, sk-abcdefghijklmnopqrstuvwxyz, risk-1234567890123456789012345",
    "ghp_short, ghp_ and gho_x",
    "AKIAIOSFODNN7EXAMPLE",
    `AKIA${upper.slice(0, 30)}`,
    "Bearer token, Bearer authentication-is-what-it-needs",
    'Authorization: Basic realm="a long realm of 20 characters"',
    "MAX_TOKENS=4096123412341234",
    "EOS_TOKEN=50256, PAD_TOKEN=<pad>, SEP_TOKEN=separator_token",
    "PASSWORD=$PASSWORD PASSWORD=${PW:-x} PASSWORD=$(cat f) PASSWORD=****",
    'PASSWORD="$PW" PASSWORD="<your password>"',
    "PASSWORD=get_password() SECRET=environ1234567['x']",
    "API_KEY=your-api-key-1234567890 TOKEN=example-token-12345",
    "password = hunter22; self.password=hunter22; PASSWORD == hunter22",
    "SECRET_KEY = 'django-tests-1234567890'",
    "settings.PASSWORD=hunter22",
    "-----BEGIN PRIVATE KEY----- is how it starts",
    "-----BEGIN PUBLIC KEY-----\n" + letters + "\n-----END PUBLIC KEY-----",
    `index ${letters.slice(0, 40).toLowerCase()}..e69de29bb2d1d6434b8b29ae775ad8c2e48c5391 100644`,
    `"integrity": "sha512-${letters}${letters}=="`,
  ])("%j", (text) => {
    expect(maskSecrets(text)).toEqual({ text, count: 0 });
  });
});

test("masking twice changes nothing more", () => {
  const piece = fc.constantFrom(
    "PASSWORD=",
    "Bearer ",
    `sk-${letters.slice(0, 30)}`,
    letters,
    '"',
    "\n",
    " ",
    "X_TOKEN=",
    "-----BEGIN PRIVATE KEY-----",
    block(""),
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string({ maxLength: 8 })), { maxLength: 12 }), (pieces) => {
      const once = maskSecrets(pieces.join("")).text;
      expect(maskSecrets(once).text).toBe(once);
    }),
  );
});

test("a trajectory is masked in texts, commands and arguments, with one note; its submission is left", () => {
  const secret = `ghp_${letters.slice(0, 36)}`;
  const call = (id: string, given: unknown): unknown => ({
    id,
    function: { name: "bash", arguments: given },
  });
  const value = {
    model_patch: `+${secret}`,
    messages: [
      { role: "user", content: "Fix it." },
      {
        role: "assistant",
        content: "",
        tool_calls: [call("a", { command: `push ${secret}` }), call("b", {})],
      },
      { role: "tool", tool_call_id: "a", content: `TOKEN is ${secret}` },
      { role: "tool", tool_call_id: "b", content: "ok" },
    ],
  };
  const notes: string[] = [];
  const trajectory = readTrajectoryValue(value, (code, message) => notes.push(`${code}: ${message}`));
  expect(JSON.stringify(trajectory?.events)).not.toContain(secret);
  expect(trajectory?.events.find(({ id }) => id === "t1.c1")).toMatchObject({
    command: "push [secret masked]",
    arguments: { command: "push [secret masked]" },
  });
  expect(trajectory?.submission).toBe(`+${secret}`);
  expect(notes).toEqual(["secrets_masked: 2 that look like secrets (keys, tokens, passwords) were masked"]);
});

test("a text of no known format is masked too", () => {
  expect(readTrajectoryValue("PASSWORD=hunter22", () => undefined)?.events[0]?.text).toBe(
    "PASSWORD=[secret masked]",
  );
});

test.each([
  ["words in capitals", "PASSWORD_".repeat(100_000)],
  ["beginnings of keys", "-----BEGIN PRIVATE KEY-----\n".repeat(40_000)],
  ["a long word", `sk-${"a".repeat(1_000_000)}`],
  ["headers", "Bearer ".repeat(150_000)],
  ["dots behind a header", `Bearer ${"a.".repeat(500_000)}`],
])("%s are read in reasonable time", (_, text) => {
  const start = performance.now();
  maskSecrets(text);
  expect(performance.now() - start).toBeLessThan(2_000);
});
