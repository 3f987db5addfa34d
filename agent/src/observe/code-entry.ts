import { deepTarget } from './deep-dom.ts'
import { onPageEvent } from './page-events.ts'
import { pageFields } from './page-fields.ts'

/** Shortest code that is taken for a whole one. */
const codeMinimum = 4

/**
 * Follows what is put into fields for a code. A page may hand a code in within the event that completes it, so what
 * was pasted counts before the page has spread it over its fields.
 *
 * @param onInput called whenever something was put into such a field
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
