const awaited: Promise<unknown>[] = []

/** Draws the page with what will be there in a moment, instead of twice. */
export const drawWith = (part: Promise<unknown>): void => {
  awaited.push(part)
}

/** Settles when everything is there that the page is to be drawn with. */
export const partsOfFirstDrawing = (): Promise<unknown> => Promise.allSettled(awaited)
