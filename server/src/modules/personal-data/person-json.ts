import type { PersonalDataSection } from './personal-data.ts'

/** Facts at the head of a file. */
export interface PersonalDataHead {
  readonly email: string
  readonly organization: string
  /** UNIX seconds. */
  readonly createdTimestamp: number
}

/** Returns a file with all data about a person as JSON, in parts. */
export async function* personJson(
  head: PersonalDataHead,
  sections: readonly PersonalDataSection[],
): AsyncGenerator<string> {
  yield `{\n"about": ${JSON.stringify(head)}`
  for (const { name, records } of sections) {
    yield `,\n${JSON.stringify(name)}: [`
    let first = true
    for await (const page of records) {
      if (page.length === 0) continue
      yield `${first ? '\n' : ',\n'}${page.map((record) => JSON.stringify(record)).join(',\n')}`
      first = false
    }
    yield first ? ']' : '\n]'
  }
  yield '\n}\n'
}
