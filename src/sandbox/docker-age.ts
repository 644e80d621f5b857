/** The first version in which an archive that is sent into a container is not unpacked by the container's own programs. */
const SAFE_ARCHIVES = [29, 5, 1] as const;

/** What people should know of an engine of this version; nothing for one that is new enough or tells no version. */
export function ageNotes(version: string): string[] {
  const parts = /^(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number);
  // Podman counts on its own.
  if (parts === undefined || (parts[0] ?? 0) < 10) return [];
  const differing = SAFE_ARCHIVES.findIndex((safe, at) => safe !== parts[at]);
  if (differing === -1 || (parts[differing] ?? 0) > (SAFE_ARCHIVES[differing] ?? 0)) return [];
  return [
    `Engine ${version} is older than ${SAFE_ARCHIVES.join(".")}: a compressed archive that is sent into a container can run its programs as the host's root (CVE-2026-41567). gagar sends none; other users of this engine might.`,
  ];
}
