/** Lets requests that are waiting have their turn. */
export const yieldToOthers = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
