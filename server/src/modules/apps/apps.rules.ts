import { type App, type AppUpdate, labelsMaximum } from '@muster/contract/app'
import { invalidRequest, notFound } from '@muster/contract/errors'
import { canonicalText, textFormats } from '@muster/contract/text-format'
import { foldCase } from '../../kernel/lib/fold-case.ts'

/** The app with the members that are given; null unsets, and notes become empty (REST contract, App). */
export const changedApp = (app: App, update: AppUpdate): App => ({
  ...app,
  ...update,
  notes: update.notes === undefined ? app.notes : (update.notes ?? ''),
})

/** Whether a banner may fit after a change that did not before, or the other way about. */
export const banneredAnew = (before: App, after: App): boolean =>
  before.approvalStatus !== after.approvalStatus ||
  before.sensitivityLevel !== after.sensitivityLevel ||
  JSON.stringify(before.labels) !== JSON.stringify(after.labels)

/** The form in which labels are compared; a label from before labels were normalized may be stored in another one. */
const comparable = (label: string): string => foldCase(canonicalText(textFormats.lookup, label))

const sameLabel = (a: string, b: string): boolean => comparable(a) === comparable(b)

/**
 * The app with a label more; unchanged if it has the label, in whatever case.
 *
 * @throws ApiError invalid_request when it has as many as it can have
 */
export function withLabel(app: App, label: string): App {
  if (app.labels.some((known) => sameLabel(known, label))) return app
  if (app.labels.length >= labelsMaximum) {
    throw invalidRequest([
      {
        in: 'body',
        name: 'label',
        message: `would be one too many: an app has at most ${labelsMaximum} labels`,
      },
    ])
  }
  return { ...app, labels: [...app.labels, label] }
}

/**
 * The app without a label, compared without case.
 *
 * @throws ApiError not_found when it does not have the label
 */
export function withoutLabel(app: App, label: string): App {
  if (!app.labels.some((known) => sameLabel(known, label)))
    throw notFound(`The app has no label ${JSON.stringify(label)}`)
  return { ...app, labels: app.labels.filter((known) => !sameLabel(known, label)) }
}
