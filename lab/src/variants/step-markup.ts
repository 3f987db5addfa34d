import { buttonHtml, fieldHtml } from './form-markup.ts'
import { type StepWords, stepWordsOf } from './step-texts.ts'
import type { Variant } from './variant-dimensions.ts'

const boxes = Array.from(
  { length: 6 },
  (_, index) =>
    `<input type="text" inputmode="numeric" maxlength="1" size="1" data-box${index === 0 ? ' data-q="code"' : ''}>`,
).join('')

/** Returns the key of the text that explains a step. */
const explains = (step: Variant['step']): keyof StepWords =>
  step.startsWith('totp') || step === 'none' ? 'totp' : (step as keyof StepWords)

/** Returns the second step: its text and its field. */
export function stepHtml(variant: Variant, text: keyof StepWords = explains(variant.step)): string {
  const words = stepWordsOf(variant.language)
  const { step } = variant
  const head = `<h1>${words.title}</h1><p>${words[text]}</p>`
  const shown = `<span data-q="step"></span>`
  if (step === 'push' || step === 'number') return `${head}${shown}<div class="spinner" data-wait></div>`
  if (step === 'key')
    return `${head}${shown}<button type="button" data-q="go" data-key>${words.confirm}</button>`
  const field = codeEntryHtml(variant, words)
  const button = step === 'totp-form-submit' ? '' : buttonHtml({ button: 'button' }, words.confirm)
  const trust = `<p><label><input type="checkbox" value="1"> ${words.trust}</label></p>`
  return `${head}<form id="f2" method="post" action="/verify">${field}${trust}${button}</form>${shown}`
}

function codeEntryHtml(variant: Variant, words: StepWords): string {
  const hidden = '<input type="hidden" name="code" data-joined>'
  switch (variant.step) {
    case 'totp-boxes':
    case 'totp-form-submit':
      return `<div>${boxes}</div>${hidden}`
    case 'totp-hidden-boxes':
      return `<div style="position:relative;width:14em;height:2em">${'<span class="box"></span>'.repeat(6)}
<input type="text" inputmode="numeric" maxlength="6" name="code" data-q="code" style="position:absolute;inset:0;opacity:0"></div>`
    default:
      return fieldHtml(
        { ...variant, naming: variant.naming === 'none' ? 'random' : variant.naming },
        {
          role: 'code',
          type: 'text',
          label: words.code,
          name: 'code',
          autocomplete: 'one-time-code',
          more: 'inputmode="numeric" maxlength="8"',
        },
      )
  }
}
