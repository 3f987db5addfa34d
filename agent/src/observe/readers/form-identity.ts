import type { FormIdentity } from '../page-facts.ts'
import type { PageField } from '../page-fields.ts'

const keys = new WeakMap<object, string>()
let count = 0

/** Returns a key that is unique to an object of this document. */
export function keyOf(object: object): string {
  const key = keys.get(object) ?? `${performance.timeOrigin}.${++count}`
  keys.set(object, key)
  return key
}

const signatureMaximum = 300

/** Identifies the form, or the group without a form element, that contains these fields. */
export function formIdentity(fields: readonly PageField[]): FormIdentity {
  const named = fields.filter(({ kind }) => kind !== 'OTHER')
  const signature = named
    .map(({ kind, element }) => `${kind} ${element.name.replace(/\d+/g, '#')}`)
    .join(', ')
  return { key: keyOf(fields[0]?.form ?? document), signature: signature.slice(0, signatureMaximum) }
}
