import { toolLimits } from '../../../lib/limits/tools.ts'

/**
 * Tokens of a text in the vocabularies of current models, estimated from above for ordinary text:
 * three ASCII characters to a token, because ids and numbers take more tokens than prose, and one
 * token for any other character.
 */
function estimateTokens(text: string): number {
  let others = 0
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) others++
  return Math.ceil((text.length - others) / 3) + others
}

/** The beginning of a text that has at most `tokensMax` tokens by that estimate. */
function cutToTokens(text: string, tokensMax: number): string {
  let thirds = tokensMax * 3
  for (let i = 0; i < text.length; i++) {
    thirds -= text.charCodeAt(i) > 127 ? 3 : 1
    if (thirds >= 0) continue
    // Not between the two halves of a character.
    const isLow = (text.charCodeAt(i) & 0xfc00) === 0xdc00
    return text.slice(0, isLow ? i - 1 : i)
  }
  return text
}

/** A tool call that continues where an answer ends. */
export interface NextStep {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  /** Its purpose: `the next page`. */
  readonly why: string
}

/** Answer of a tool. */
export interface Answer {
  readonly text: string
  readonly next: readonly NextStep[]
}

/** An answer of lines: never more than `toolLimits.agentAnswerTokensMax`, next steps included. */
export class AnswerText {
  private readonly lines: string[] = []
  private readonly steps: NextStep[] = []
  private tokensLeft: number

  constructor(tokensMax: number = toolLimits.agentAnswerTokensMax) {
    this.tokensLeft = tokensMax - toolLimits.agentNextTokensMax
  }

  /** Adds a text, or the part of it that fits. Returns whether all of it fit. */
  add(text: string): boolean {
    const tokens = estimateTokens(text) + 1
    if (tokens <= this.tokensLeft) {
      this.lines.push(text)
      this.tokensLeft -= tokens
      return true
    }
    const marker = ' … (cut)'
    const part = cutToTokens(text, this.tokensLeft - estimateTokens(marker) - 1)
    if (part.length > 0) this.lines.push(part + marker)
    this.tokensLeft = 0
    return false
  }

  /**
   * Adds texts as long as they fit as a whole, then a line that says how many of how many. Returns
   * the number of texts added.
   *
   * @param total undefined if it is not known
   */
  addList(texts: readonly string[], what: string, total: number | undefined = texts.length): number {
    const reserve = toolLimits.agentCountTokensMax
    let shown = 0
    for (const text of texts) {
      const tokens = estimateTokens(text) + 1
      if (tokens + reserve > this.tokensLeft) break
      this.lines.push(text)
      this.tokensLeft -= tokens
      shown++
    }
    const of = total === undefined ? '' : ` of ${total}`
    this.add(`(${shown}${of} ${what}${total !== undefined && shown < total ? ', the rest is left out' : ''})`)
    return shown
  }

  /** Names a call that continues. Those that do not fit are left out. */
  next(tool: string, args: NextStep['args'], why: string): void {
    this.steps.push({ tool, args, why })
  }

  end(): Answer {
    let left: number = toolLimits.agentNextTokensMax
    const next = this.steps.filter((step) => {
      left -= estimateTokens(nextLine(step)) + 1
      return left >= 0
    })
    return { text: [...this.lines, ...next.map(nextLine)].join('\n'), next }
  }
}

const nextLine = ({ tool, args, why }: NextStep): string => `Next: ${tool} ${JSON.stringify(args)} (${why})`
