import type { Clock } from '../../../runtime/platform/clock.ts'
import type { CatalogEntry, HardwareOption, ModelsDev, OperatorModel, RouterModel } from '../model/inference.ts'
import { bareName, type CatalogModel } from './catalog-model.ts'
import { readOperatorModels, withOperator } from './operator-models.ts'
import { listedProviders, shippedModels } from './shipped-models.ts'
import { catalogEntry, hardwareOptions, routerModel } from './write-model.ts'

/** Models available to completions: built-in ones, and those that the operator adds or corrects. */
export class ModelCatalog {
  private readonly operatorModels: readonly OperatorModel[]
  private readonly clock: Clock
  private loaded: Promise<readonly CatalogModel[]> | undefined

  private constructor(operatorModels: readonly OperatorModel[], clock: Clock) {
    this.operatorModels = operatorModels
    this.clock = clock
  }

  /** @param file the operator's models. @throws ConfigError if it cannot be read */
  static async open(file: string | undefined, clock: Clock): Promise<ModelCatalog> {
    return new ModelCatalog(file === undefined ? [] : await readOperatorModels(file), clock)
  }

  /** Models with a known quantization: open-weight models and those of the operator. */
  async routerModels(): Promise<RouterModel[]> {
    return (await this.models()).flatMap((model) =>
      model.quantization === undefined ? [] : [routerModel(model, model.quantization)],
    )
  }

  async entries(): Promise<CatalogEntry[]> {
    return (await this.models()).map(catalogEntry)
  }

  /**
   * Providers of models with a name. @param name with or without provider and publisher,
   * case-insensitive
   */
  async hardware(name: string): Promise<HardwareOption[]> {
    const wanted = name.toLowerCase()
    const found = (await this.models()).filter(
      (model) => bareName(model).toLowerCase() === wanted || model.id.toLowerCase() === wanted,
    )
    return found.flatMap((model) => [...hardwareOptions(model)])
  }

  /** The models.dev catalog as shipped, including providers that completions do not support. */
  async modelsDev(): Promise<ModelsDev> {
    return { ...(await listedProviders()) }
  }

  private models(): Promise<readonly CatalogModel[]> {
    this.loaded ??= this.load()
    return this.loaded
  }

  private async load(): Promise<readonly CatalogModel[]> {
    const byId = new Map((await shippedModels(this.clock.nowMs())).map((model) => [model.id, model]))
    for (const model of this.operatorModels) byId.set(model.id, withOperator(model, byId.get(model.id)))
    return [...byId.values()]
  }
}
