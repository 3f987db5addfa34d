import { readFileSync } from 'node:fs'
import type { Product } from './product.ts'

const lines = readFileSync(new URL('./products.jsonl', import.meta.url), 'utf8').trimEnd()

/** Products that Muster ships, sorted by token: one line of `products.jsonl` each. Node only, see ADR 0037. */
export const products: readonly Product[] = JSON.parse(`[${lines.replaceAll('\n', ',')}]`)
