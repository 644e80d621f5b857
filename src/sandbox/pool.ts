import type { Box, Work } from "./types.ts";

/** Boxes that are used one rollout after the other, so that sixteen rollouts do not need sixteen of them. */
export interface Pool {
  /** Waits for a free box, lays the work, and hands the box out until the task is done. */
  use<T>(work: Work, task: (box: Box) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** At most `size` boxes, each opened when it is first needed. `open` also puts what all of them have. */
export function openPool(size: number, open: () => Promise<Box>): Pool {
  const places: { box?: Box }[] = Array.from({ length: size }, () => ({}));
  const free = [...places];
  const waiting: ((place: { box?: Box }) => void)[] = [];

  const take = async (): Promise<{ box?: Box }> =>
    free.pop() ??
    new Promise((resolve) => {
      waiting.push(resolve);
    });
  /** With nobody waiting there is time to lay what the next work begins from. */
  const give = (place: { box?: Box }, { from }: Work) => {
    const next = waiting.shift();
    if (next !== undefined) return next(place);
    free.push(place);
    if (from !== undefined)
      void place.box
        ?.lay({ from })
        .then(async () => place.box?.warm())
        .catch(() => {});
  };

  return {
    async use(work, task) {
      const place = await take();
      try {
        place.box ??= await open();
        await place.box.lay(work);
        return await task(place.box);
      } finally {
        give(place, work);
      }
    },
    async close() {
      await Promise.all(places.map(async ({ box }) => box?.close()));
    },
  };
}
