import { Gauge, type Registry } from 'prom-client'
import { withTimeout } from '../../kernel/lib/with-timeout.ts'

/** Value of a gauge, with its labels. */
export interface Sample {
  readonly value: number
  readonly labels?: Readonly<Record<string, string>>
}

interface GaugeText {
  readonly help: string
  readonly labelNames?: readonly string[]
}

/**
 * Registers gauges that are read together on every scrape. Gauges that cannot be read in time are omitted, so a scrape never
 * shows an old value.
 *
 * @param gauges texts by name
 * @param read returns the samples by name; a number stands for a single sample without labels
 */
export function scrapedGauges<Name extends string>(
  registry: Registry,
  gauges: Readonly<Record<Name, GaugeText>>,
  read: () => Promise<Readonly<Partial<Record<Name, number | readonly Sample[]>>>>,
): void {
  // The registry collects all gauges at the same time: they share one call.
  let reading: ReturnType<typeof read> | undefined
  const readOnce = (): ReturnType<typeof read> => {
    reading ??= read().finally(() => {
      reading = undefined
    })
    return reading
  }
  for (const [name, { help, labelNames = [] }] of Object.entries<GaugeText>(gauges)) {
    new Gauge({
      name,
      help,
      labelNames: [...labelNames],
      registers: [registry],
      async collect() {
        const found: number | readonly Sample[] | undefined = (await withTimeout(readOnce()))?.[name as Name]
        this.reset()
        const samples = typeof found === 'number' ? [{ value: found }] : (found ?? [])
        for (const { labels = {}, value } of samples) this.set({ ...labels }, value)
        // A gauge without labels is 0 after a reset.
        if (samples.length === 0 && labelNames.length === 0) this.remove()
      },
    })
  }
}
