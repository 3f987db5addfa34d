import type { Destination } from './destination.ts'

const keyMinimum = 16

/** Generic webhook: gets the message as it is (`AlertMessage` of the contract), signed like events if the rule has a secret. */
export const webhook: Destination = {
  key: 'OPTIONAL',
  signs: true,
  keyMistake: (key) => (key.length >= keyMinimum ? undefined : `have at least ${keyMinimum} characters`),
  render: (message) => message,
}
