/**
 * System calls that no program under test needs, and that reach parts of the kernel which namespaces do not divide
 * (keyrings), which are often at fault (bpf, io_uring), or which need rights that are never there. Container engines
 * refuse the same ones. Numbers: x86_64, arm64 (the kernel's own tables).
 */
const REFUSED: Record<string, readonly [x64: number, arm64: number]> = {
  acct: [163, 89],
  add_key: [248, 217],
  adjtimex: [159, 171],
  bpf: [321, 280],
  clock_adjtime: [305, 266],
  clock_settime: [227, 112],
  delete_module: [176, 106],
  finit_module: [313, 273],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fsopen: [430, 430],
  fspick: [433, 433],
  init_module: [175, 105],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  io_uring_setup: [425, 425],
  kexec_file_load: [320, 294],
  kexec_load: [246, 104],
  keyctl: [250, 219],
  mount: [165, 40],
  mount_setattr: [442, 442],
  move_mount: [429, 429],
  open_by_handle_at: [304, 265],
  open_tree: [428, 428],
  perf_event_open: [298, 241],
  pivot_root: [155, 41],
  quotactl: [179, 60],
  quotactl_fd: [443, 443],
  reboot: [169, 142],
  request_key: [249, 218],
  setns: [308, 268],
  settimeofday: [164, 170],
  swapoff: [168, 225],
  swapon: [167, 224],
  syslog: [103, 116],
  umount2: [166, 39],
  unshare: [272, 97],
  userfaultfd: [323, 282],
};

/** AUDIT_ARCH_* of the processors that the table knows. */
const ARCHITECTURES = [
  { name: "x64", audit: 0xc000003e },
  { name: "arm64", audit: 0xc00000b7 },
];

const LOAD = 0x20;
const EQUAL = 0x15;
const AT_LEAST = 0x35;
const RETURN = 0x06;
const ALLOW = 0x7fff0000;
/** EPERM */
const REFUSE = 0x00050001;
/** Calls of x86_64's second, 32-bit interface have this bit. */
const X32 = 0x40000000;

/** The filter as the kernel takes it (a BPF program), or undefined for a processor that the table does not know. */
export function seccompFilter(architecture: string = process.arch): Buffer | undefined {
  const column = ARCHITECTURES.findIndex(({ name }) => name === architecture);
  const audit = ARCHITECTURES[column]?.audit;
  if (audit === undefined) return undefined;
  const refuseWhen = (test: number, value: number) => [
    instruction(test, value, 0, 1),
    instruction(RETURN, REFUSE),
  ];
  return Buffer.concat([
    // struct seccomp_data: the call's number at 0, the architecture at 4.
    instruction(LOAD, 4),
    instruction(EQUAL, audit, 1, 0),
    instruction(RETURN, REFUSE),
    instruction(LOAD, 0),
    ...refuseWhen(AT_LEAST, X32),
    ...Object.values(REFUSED).flatMap((numbers) => refuseWhen(EQUAL, numbers[column] ?? -1)),
    instruction(RETURN, ALLOW),
  ]);
}

/** `ifTrue` and `ifFalse`: how many instructions to skip. */
function instruction(code: number, value: number, ifTrue = 0, ifFalse = 0): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(ifTrue, 2);
  bytes.writeUInt8(ifFalse, 3);
  bytes.writeUInt32LE(value >>> 0, 4);
  return bytes;
}
