import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { GraderError } from "../../src/errors.ts";
import { resolveInside } from "../../src/sources/index.ts";

let base = "";

beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), "gagar-inside-")));
  for (const folder of ["w/r1/sub", "w/r10", "w/r1/..name", "outside"])
    await mkdir(join(base, folder), { recursive: true });
  for (const file of ["w/r1/a.txt", "w/r10/secret", "outside/secret", "w/r1/..name/b"])
    await writeFile(join(base, file), "x");
  const links: [string, string][] = [
    ["w/r1/out", "../../outside"],
    ["w/r1/file-out", "../../outside/secret"],
    ["w/r1/sibling", "../r10"],
    ["w/r1/absolute", join(base, "outside/secret")],
    ["w/r1/in", "sub"],
    ["w/r1/nowhere", "no/such/thing"],
    ["w/r1/nowhere-out", "../../outside/none"],
    ["w/r1/loop", "loop"],
    ["alias", "w/r1"],
  ];
  for (const [name, target] of links) await symlink(target, join(base, name));
});

afterAll(() => rm(base, { recursive: true, force: true }));

const where = { rollout: "r01", field: "patch_path" };

describe("resolveInside", () => {
  test.each([
    ["a.txt", "w/r1/a.txt"],
    ["./sub/../a.txt", "w/r1/a.txt"],
    [".", "w/r1"],
    ["..name/b", "w/r1/..name/b"],
    ["..name/missing", "w/r1/..name/missing"],
    ["...", "w/r1/..."],
    ["in/file", "w/r1/sub/file"],
    ["no/such/file", "w/r1/no/such/file"],
    ["a.txt/below-a-file", "w/r1/a.txt/below-a-file"],
    ["C:", "w/r1/C:"],
  ])("%s is %s", async (named, expected) => {
    expect(await resolveInside(join(base, "w/r1"), named, where)).toBe(join(base, expected));
  });

  test("the root may be a link itself", async () => {
    expect(await resolveInside(join(base, "alias"), "a.txt", where)).toBe(join(base, "w/r1/a.txt"));
  });

  test.each([
    ["../r10/secret", "leaves the folder of the group"],
    ["..", "leaves the folder of the group"],
    ["sub/../../r10", "leaves the folder of the group"],
    ["../r1/../r10", "leaves the folder of the group"],
    ["/etc/passwd", "is absolute; give it relative to the group"],
    ["\\\\server\\share", "is absolute; give it relative to the group"],
    ["C:\\windows", "is absolute; give it relative to the group"],
    ["a\0.txt", "holds a NUL character"],
    ["out", "leads outside the folder of the group"],
    ["out/secret", "leads outside the folder of the group"],
    ["out/none", "leads outside the folder of the group"],
    ["file-out", "leads outside the folder of the group"],
    ["sibling/secret", "leads outside the folder of the group"],
    ["absolute", "leads outside the folder of the group"],
    ["nowhere", "goes through a link that cannot be followed"],
    ["nowhere-out", "goes through a link that cannot be followed"],
    ["nowhere-out/file", "goes through a link that cannot be followed"],
    ["loop", "goes through a link that cannot be followed"],
  ])("%j is refused: %s", async (named, why) => {
    const refusal: unknown = await resolveInside(join(base, "w/r1"), named, where).catch(
      (error: unknown) => error,
    );
    expect(refusal).toBeInstanceOf(GraderError);
    expect(refusal).toMatchObject({
      code: "bad_input",
      where,
      message: `rollout r01: patch_path: path ${JSON.stringify(named)} ${why}`,
    });
  });
});
