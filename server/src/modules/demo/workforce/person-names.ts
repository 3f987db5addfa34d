import { readDemoJson } from './demo-data.ts'

interface PersonIdentifiers {
  readonly firstNames: readonly string[]
  readonly lastNames: readonly string[]
}

/** Names from many regions. Any resemblance of a combination to a real person is coincidental. */
export const { firstNames, lastNames } = readDemoJson<PersonIdentifiers>('person-names.json')
