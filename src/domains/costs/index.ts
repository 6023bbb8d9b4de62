/**
 * Prices of models and the costs computed from them. Other code imports this subject through this
 * file.
 */

export { Costs, priceCells, projectPrice } from './costs.ts'
export type { BuiltinModel, BuiltinPrices } from './model/costs.ts'
export { costsApi } from './operations/index.ts'
export type { PriceBook } from './price-book.ts'
export type { Rate } from './price-usage.ts'
export { timedRates, usageRates } from './price-usage.ts'

/*
 * The list of shipped prices is large, and most servers need it late or never: these load it.
 */
export const loadPriceBook = () => import('./price-book.ts')
export const loadShippedPrices = () => import('./shipped-prices.ts')
