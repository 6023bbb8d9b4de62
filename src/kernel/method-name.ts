import { limits } from '../limits.ts'

const classOf = { predict: 'Model', score: 'Scorer', summarize: 'Scorer' } as const

/** The op name of an object's method; named after the class if the object's name is too long. */
export function methodName(object: string, method: keyof typeof classOf): string {
  const name = `${object}.${method}`
  return [...name].length > limits.idCharsMax ? `${classOf[method]}.${method}` : name
}
