import { limits } from '../limits.ts'

const classOf = { predict: 'Model', score: 'Scorer', summarize: 'Scorer' } as const

/** What the op of a method of an object is called; after the class where the name of the object leaves no room. */
export function methodName(object: string, method: keyof typeof classOf): string {
  const name = `${object}.${method}`
  return [...name].length > limits.idCharsMax ? `${classOf[method]}.${method}` : name
}
