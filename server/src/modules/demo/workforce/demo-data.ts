import { readFileSync } from 'node:fs'

const read = (file: string): string => readFileSync(new URL(`./data/${file}`, import.meta.url), 'utf8')

/** Reads a JSON file of the folder `data`. `demo-data.test.ts` checks the content against schemas. */
export const readDemoJson = <T>(file: string): T => JSON.parse(read(file)) as T

/** Reads a file of the folder `data` with one JSON value per line. */
export const readDemoJsonLines = <T>(file: string): T[] =>
  read(file)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as T)
