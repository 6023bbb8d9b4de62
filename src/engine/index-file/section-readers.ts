import type { Log } from '../../runtime/log.ts'
import type { TableLayout } from '../layout.ts'

interface Indexed {
  readonly fileName: string
}

/**
 * The sections of one kind in the indexes of a table's data files, each opened once. An index only
 * repeats what its data file says, so an unreadable one fails no request.
 */
export class SectionReaders<File extends Indexed, Section> {
  private readonly layout: TableLayout
  private readonly log: Log | undefined
  /** What the sections are, for messages. */
  private readonly what: string
  private readonly open: (file: File) => Promise<Section | undefined>
  /** By data file name; undefined if there is no usable section. */
  private readonly sections = new Map<string, Section | undefined>()

  constructor(
    layout: TableLayout,
    log: Log | undefined,
    { what, open }: { what: string; open: (file: File) => Promise<Section | undefined> },
  ) {
    this.layout = layout
    this.log = log
    this.what = what
    this.open = open
  }

  /** Whether the section of a file has been looked for. */
  isKnown({ fileName }: File): boolean {
    return this.sections.has(fileName)
  }

  async of(file: File): Promise<Section | undefined> {
    if (!this.isKnown(file)) this.sections.set(file.fileName, await this.open(file))
    return this.sections.get(file.fileName)
  }

  /**
   * @param read returns null if the section does not say, undefined if it is damaged: then it is
   *   not asked again until it has been rebuilt
   * @returns undefined if there is no answer
   */
  async read<Found>(
    file: File,
    read: (section: Section) => Promise<Found | undefined | null>,
  ): Promise<Found | undefined> {
    const { fileName } = file
    try {
      const section = await this.of(file)
      if (section === undefined) return undefined
      const found = await read(section)
      // Unless the index has been rebuilt since.
      if (found === undefined && this.sections.get(fileName) === section) this.sections.set(fileName, undefined)
      return found ?? undefined
    } catch (err) {
      this.log?.warn({ err, file: fileName }, `cannot read the ${this.what} of a data file`)
      return undefined
    }
  }

  /** Those of all data files of a table, if at hand, without a usable section. Forgets others. */
  async filesWithout<F extends File>(dataFiles: readonly F[]): Promise<F[]> {
    const names = new Set(dataFiles.map(({ fileName }) => fileName))
    for (const name of this.sections.keys()) if (!names.has(name)) this.sections.delete(name)
    const without: F[] = []
    for (const dataFile of dataFiles)
      if (this.layout.hasIndexAtHand(dataFile.fileName) && (await this.of(dataFile)) === undefined)
        without.push(dataFile)
    return without
  }

  /** Call when the index of a file has been written. */
  wasRebuilt(fileName: string): void {
    this.sections.delete(fileName)
  }
}
