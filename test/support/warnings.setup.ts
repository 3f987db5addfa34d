import { afterAll } from 'vitest'
import { checkNoWarnings } from './warnings.ts'

afterAll(checkNoWarnings)
