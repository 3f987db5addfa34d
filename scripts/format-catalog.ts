// `npm run catalog:format`: sorts the lines of the catalog by token and formats them.
import { readFileSync, writeFileSync } from 'node:fs'
import { catalogText } from '../contract/src/catalog/catalog-text.ts'
import type { Product } from '../contract/src/catalog/product.ts'

const path = new URL('../contract/src/catalog/products.jsonl', import.meta.url)
const lines = readFileSync(path, 'utf8').split('\n')
const products = lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line) as Product)
writeFileSync(path, catalogText(products))
