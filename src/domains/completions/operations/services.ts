import type { Completions } from '../completions.ts'
import type { Images } from '../images/images.ts'
import type { ModelCatalog } from '../inference/model-catalog.ts'
import type { Runtimes } from '../runtimes/runtimes.ts'

/** The services that these operations are given. */
export interface CompletionsServices {
  readonly completions: Completions
  readonly images: Images
  readonly modelCatalog: ModelCatalog
  readonly runtimes: Runtimes
}
