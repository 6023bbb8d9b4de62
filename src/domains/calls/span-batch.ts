import type { Row } from '../../lib/table.ts'
import type { ProjectWriter } from '../access/index.ts'
import { PartsByCall } from './collect-calls.ts'
import {
  type CallContent,
  contentPart,
  discountPart,
  elsewherePart,
  type OpenCall,
  type StoreSpan,
  spanPart,
  turnPart,
  type WriteOptions,
} from './parts.ts'

interface Writing {
  readonly optionsOf: (writer: ProjectWriter) => WriteOptions
  readonly write: (parts: readonly Row[], options: readonly WriteOptions[]) => Promise<void>
}

/**
 * Calls made from the spans or log records of one request. Nothing is stored until `store`, which
 * stores all of them.
 */
export class SpanBatch {
  private readonly writing: Writing
  private readonly parts = new PartsByCall()
  private readonly options = new Map<string, WriteOptions>()

  constructor(writing: Writing) {
    this.writing = writing
  }

  get size(): number {
    return this.parts.rows.length
  }

  /**
   * @param store returns the span, if there is one, as it is stored beside the call; called when
   *   the payload of the call is final
   * @returns the row, whose cells may be changed until `store`; a call added before gets a new row
   * @throws DomainError InvalidRequest; nothing is added then
   */
  add(writer: ProjectWriter, call: OpenCall, store: StoreSpan | undefined): Row {
    const row = spanPart(call, store, writer.projectId, this.optionsOf(writer))
    this.parts.add(row)
    return row
  }

  /** Sets the turn of a call that was stored before. */
  setTurn(writer: ProjectWriter, id: string, turnId: string): void {
    this.parts.add(turnPart(id, writer.projectId, turnId, this.optionsOf(writer)))
  }

  /** Adds the inputs and the output of a call, which its span may lack. */
  addContent(writer: ProjectWriter, id: string, content: CallContent): void {
    this.parts.add(contentPart(id, writer.projectId, content, this.optionsOf(writer)))
  }

  /** Says that another call states the usage of a call, stored before or added here. */
  setElsewhere(writer: ProjectWriter, id: string): void {
    this.parts.add(elsewherePart(id, writer.projectId, this.optionsOf(writer)))
  }

  /** Empties the usage of a call that was stored before, and takes its turn away. */
  discount(writer: ProjectWriter, id: string, what: { readonly isTurn: boolean; readonly hasUsage: boolean }): void {
    this.parts.add(discountPart(id, writer.projectId, what, this.optionsOf(writer)))
  }

  async store(): Promise<void> {
    if (this.size > 0) await this.writing.write(this.parts.rows, [...this.options.values()])
  }

  private optionsOf(writer: ProjectWriter): WriteOptions {
    const options = this.options.get(writer.projectId) ?? this.writing.optionsOf(writer)
    this.options.set(writer.projectId, options)
    return options
  }
}
