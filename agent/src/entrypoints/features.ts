import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script'
import { providePart } from '../loader/fetch-part.ts'
import { collectFeatures } from '../threats/collect-features.ts'

/** The part of the observer that reads what a page outside the catalog is judged by. */
export default defineUnlistedScript(() => providePart('features', collectFeatures))
