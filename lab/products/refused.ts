import type { Flow, Product } from '../src/lab-product.ts'
import { describeVariant } from '../src/variants/variant-dimensions.ts'
import { dice, drawVariant } from '../src/variants/variant-draw.ts'
import { variantSites } from '../src/variants/variant-sites.ts'

const sites = variantSites('refused.example')

/** Draws failed logins with random timing and CPU speed; none of them may create an account. */
function draw(count: number, seed: number): Flow[] {
  return Array.from({ length: count }, (_, index) => {
    const roll = dice(seed + index)
    const cpu = ([1, 2, 4, 6] as const)[roll(4)] ?? 1
    const delay = ([0, 300, 1_500, 4_000] as const)[roll(4)] ?? 0
    const redraw = ([0, 600, 1_200, 2_500, 5_000] as const)[roll(5)] ?? 0
    const timing = { task: 'login', story: 'wrong', cpu, delay } as const
    const variant = drawVariant(roll, roll(2) === 0 ? timing : { ...timing, redraw, structure: 'form' })
    return sites.flow(`r${index}`, `seed ${seed + index}: ${describeVariant(variant)}`, variant)
  })
}

export const product: Product = {
  name: 'refused',
  host: sites.host,
  start: sites.start,
  flows: draw(12, 1),
  draw: ({ count, seed }) => draw(count, seed),
}
