import type { Product } from '../src/lab-product.ts'
import { namedVariants } from '../src/variants/named-variants.ts'
import { describeVariant } from '../src/variants/variant-dimensions.ts'
import { dice, drawVariant } from '../src/variants/variant-draw.ts'
import { variantSites } from '../src/variants/variant-sites.ts'

const sites = variantSites('variants.example')

export const product: Product = {
  name: 'variants',
  host: sites.host,
  quick: true,
  start: sites.start,
  flows: namedVariants.map(({ name, variant, quick = false }, index) =>
    sites.flow(`v${index}`, name, variant, { quick }),
  ),
  // Each variant has its own seed, so `--count 1 --seed <seed>` repeats it.
  draw: ({ count, seed }) =>
    Array.from({ length: count }, (_, index) => {
      const variant = drawVariant(dice(seed + index))
      return sites.flow(`r${index}`, `seed ${seed + index}: ${describeVariant(variant)}`, variant)
    }),
}
