import { invalidRequest, notFound } from '@muster/contract/api/errors'
import { type App, type AppUpdate, labelsMaximum } from '@muster/contract/records/app'
import { canonicalText, textFormats } from '@muster/contract/text/text-format'
import { foldCase } from '../../kernel/lib/fold-case.ts'

/**
 * Returns the app with the given members; null unsets a member, and makes notes empty (REST contract, App).
 */
export const changedApp = (app: App, update: AppUpdate): App => ({
  ...app,
  ...update,
  notes: update.notes === undefined ? app.notes : (update.notes ?? ''),
})

/** Returns true if a change of the app may change its banner. */
export const mayChangeBanner = (before: App, after: App): boolean =>
  before.approvalStatus !== after.approvalStatus ||
  before.sensitivityLevel !== after.sensitivityLevel ||
  JSON.stringify(before.labels) !== JSON.stringify(after.labels)

/** Normalizes a label for comparison. Labels stored before labels were normalized may have another form. */
const comparable = (label: string): string => foldCase(canonicalText(textFormats.lookup, label))

const sameLabel = (a: string, b: string): boolean => comparable(a) === comparable(b)

/**
 * Returns the app with another label; unchanged if it already has the label, regardless of case.
 *
 * @throws ApiError invalid_request if it has the maximum number of labels
 */
export function withLabel(app: App, label: string): App {
  if (app.labels.some((known) => sameLabel(known, label))) return app
  if (app.labels.length >= labelsMaximum) {
    throw invalidRequest([
      {
        in: 'body',
        name: 'label',
        message: `exceeds the limit: an app can have at most ${labelsMaximum} labels`,
      },
    ])
  }
  return { ...app, labels: [...app.labels, label] }
}

/**
 * Returns the app without a label, compared regardless of case.
 *
 * @throws ApiError not_found if it does not have the label
 */
export function withoutLabel(app: App, label: string): App {
  if (!app.labels.some((known) => sameLabel(known, label)))
    throw notFound(`The app has no label ${JSON.stringify(label)}`)
  return { ...app, labels: app.labels.filter((known) => !sameLabel(known, label)) }
}
