import { type FlowResult, percentRight } from './score.ts'

const verdict = ({ broken, faults }: FlowResult): string =>
  broken !== undefined ? 'NOT RUN' : faults.length === 0 ? 'right' : 'WRONG'

/** Returns the result of one flow as a line. */
export function resultLine(result: FlowResult): string {
  const { product, flow, expected, seen, broken, faults } = result
  const reason = broken ?? faults.join('; ')
  return [
    verdict(result).padEnd(7),
    product.padEnd(18),
    flow.padEnd(24),
    `expected ${expected}`.padEnd(34),
    `seen ${seen}`,
    ...(reason === '' ? [] : [`— ${reason}`]),
  ].join('  ')
}

/** Returns the number of correct and counted flows per product, and per flow that was wrong at least once. */
export function summaryLines(results: readonly FlowResult[]): string[] {
  const perProduct = [...Map.groupBy(results, ({ product }) => product)].map(([product, own]) => {
    const counted = own.filter(({ broken }) => broken === undefined)
    const right = counted.filter(({ faults }) => faults.length === 0)
    const notRun = own.length - counted.length
    return `${product.padEnd(20)} ${right.length}/${counted.length}${notRun === 0 ? '' : ` (${notRun} not run)`}`
  })
  const counted = results.filter(({ broken }) => broken === undefined)
  const right = counted.filter(({ faults }) => faults.length === 0)
  const sum = `${right.length} of ${counted.length} flows right in every detail: ${percentRight(results).toFixed(1)} %`
  return [...perProduct, '', sum]
}
