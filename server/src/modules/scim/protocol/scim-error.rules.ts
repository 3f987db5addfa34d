/** Values of `scimType` (RFC 7644, section 3.12). */
export type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue'
  | 'invalidVers'
  | 'sensitive'

/** An error for a SCIM client. `detail` is sent unchanged. */
export class ScimError extends Error {
  override readonly name = 'ScimError'
  readonly status: number
  readonly scimType: ScimType | undefined

  constructor(status: number, scimType: ScimType | undefined, detail: string) {
    super(detail)
    this.status = status
    this.scimType = scimType
  }
}

/** Creates a 400 error. */
export const badRequest = (scimType: ScimType, detail: string): ScimError =>
  new ScimError(400, scimType, detail)

const errorUrn = 'urn:ietf:params:scim:api:messages:2.0:Error'

/** Body of an error response. `status` is a string (RFC 7644, section 3.12). */
export interface ScimErrorBody {
  readonly schemas: readonly string[]
  readonly scimType?: ScimType
  readonly detail: string
  readonly status: string
}

/** Maximum length of `detail`. */
const detailMaximum = 2000

/** Returns the body of an error response. */
export const errorBody = (status: number, detail: string, scimType?: ScimType): ScimErrorBody => ({
  schemas: [errorUrn],
  ...(scimType ? { scimType } : {}),
  detail: detail.slice(0, detailMaximum),
  status: String(status),
})
