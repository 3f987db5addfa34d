import { deepTarget } from './deep-dom.ts'
import { onPageEvent } from './page-events.ts'
import { pageFields } from './page-fields.ts'

/** Minimum length of a complete code. */
const codeMinimum = 4

/**
 * Observes input in one-time code fields. A page may submit a code within the event that completes it, so pasted text
 * counts before the page distributes it over its fields.
 *
 * @param onInput called on each input in such a field
 */
export function watchCodes(onInput: () => void): { isPasted(): boolean } {
  let pasted = false
  const isCode = (event: Event) => {
    const target = event.isTrusted ? deepTarget(event) : null
    return (
      target instanceof HTMLInputElement &&
      pageFields().some(({ element, kind }) => element === target && kind === 'CODE')
    )
  }
  onPageEvent('input', (event) => {
    if (isCode(event)) onInput()
  })
  onPageEvent('paste', (event) => {
    const { length } = event.clipboardData?.getData('text').trim() ?? ''
    if (length < codeMinimum || length > 12 || !isCode(event)) return
    pasted = true
    onInput()
  })
  return { isPasted: () => pasted }
}
