import { readFileSync } from 'node:fs'
import type { Product } from './product.ts'

/** Returns a function that deduplicates equal lists, to save memory. */
function listSharer(): <T>(list: readonly T[]) => readonly T[] {
  const known = new Map<string, readonly unknown[]>()
  return <T>(list: readonly T[]) => {
    const key = list.join()
    const first = known.get(key) ?? list
    known.set(key, first)
    return first as readonly T[]
  }
}

/** Parses line by line, so the whole text is neither kept in memory nor copied at once. */
function readProducts(): readonly Product[] {
  const shared = listSharer()
  const lines = readFileSync(new URL('./products.jsonl', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
  return lines.map((line) => {
    const product = JSON.parse(line) as Product
    const { categories = [], loginHosts } = product
    return { ...product, categories: shared(categories), loginHosts: shared(loginHosts) }
  })
}

/** Products that Muster ships, sorted by token: one line of `products.jsonl` each. Node only, see ADR 0037. */
export const products: readonly Product[] = readProducts()
