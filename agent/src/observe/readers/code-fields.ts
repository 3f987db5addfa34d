import type { CodeFacts, CodeState } from '../page-facts.ts'
import type { PageField } from '../page-fields.ts'
import { readField } from './read-field.ts'
import type { ShownForm } from './shown-forms.ts'

const codeMinimum = 4

/** Returns the state of a code by the lengths of its fields' values. Every field must have a value. */
export function codeEntered(lengths: readonly number[]): CodeState {
  const sum = lengths.reduce((total, length) => total + length, 0)
  if (sum === 0) return 'EMPTY'
  return sum >= codeMinimum && lengths.every((length) => length > 0) ? 'ENTERED' : 'PARTIAL'
}

/** Returns the state of the code in these fields; null if none of them is a code field. */
export function codeIn(fields: readonly PageField[]): CodeState | null {
  const codes = fields.filter(({ kind, isVisible }) => kind === 'CODE' && isVisible)
  return codes.length > 0 ? codeEntered(codes.map(({ element }) => element.value.trim().length)) : null
}

/** Reads the first code that one of the forms asks for. */
export function codeState(forms: readonly ShownForm[]): CodeFacts | null {
  const form = forms.find(({ facts }) => facts.hasCodeField)
  if (!form) return null
  return {
    state: codeIn(form.fields) ?? 'EMPTY',
    isBesidePassword: form.facts.currentPasswords + form.facts.newPasswords > 0,
  }
}

/**
 * Returns the label of the code field in a form that also asks for a password. Labels of other fields, such as an
 * e-mail address, say nothing about the code.
 */
export function codeLabel(forms: readonly ShownForm[]): string {
  const form = forms.find(({ facts }) => facts.hasCodeField && facts.currentPasswords > 0)
  const code = form?.fields.find(({ kind, isVisible }) => kind === 'CODE' && isVisible)
  return code ? readField(code.element).label : ''
}
