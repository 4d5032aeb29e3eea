// The list of kinds. The operator, the CRDs and the manifests are made from it.

import type { Kind } from 'mydeployment/runtime';
import { staticSiteKind } from './kinds/static-site/kind.ts';

export const KINDS: readonly Kind[] = [staticSiteKind];
