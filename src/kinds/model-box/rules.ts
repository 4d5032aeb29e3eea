// The CEL rules of a ModelBox beyond the types of its fields: the API server enforces them even when the webhook is
// switched off. Each names the invalid field and says what would be valid.

import type { ValidationRule } from '../../runtime/custom-resource.ts';

const hasFixedSize = "has(self.size) && self.size != 'custom'";
const hasResources = 'has(self.resources) && (has(self.resources.requests) || has(self.resources.limits))';

export const specRules: readonly ValidationRule[] = [
  {
    rule: `!(${hasFixedSize}) || !has(self.resources)`,
    message: 'may not be specified together with a size other than custom',
    messageExpression:
      "'may not be specified when `size` is \\'%s\\', which sets them; say size custom to choose your own'.format([self.size])",
    fieldPath: '.resources',
    reason: 'FieldValueForbidden',
  },
  {
    rule: `!has(self.size) || self.size != 'custom' || (${hasResources})`,
    message: "requests or limits must be specified when `size` is 'custom'",
    fieldPath: '.resources',
    reason: 'FieldValueRequired',
  },
  {
    rule: "!has(self.serviceType) || self.serviceType == 'NodePort' || self.ports.all(p, !has(p.nodePort))",
    message: "nodePort may only be specified when `serviceType` is 'NodePort'",
    messageExpression: "'nodePort may not be specified when `serviceType` is \\'%s\\''.format([self.serviceType])",
    fieldPath: '.ports',
    reason: 'FieldValueForbidden',
  },
];

const sameNodePort = 'has(p.nodePort) && has(q.nodePort) && p.nodePort == q.nodePort && p.protocol == q.protocol';

// Invalid, not Duplicate: the API server shows no message for the latter.
export const portsRules: readonly ValidationRule[] = [
  {
    rule: 'self.size() == 1 || self.all(p, has(p.name))',
    message: 'every port needs a name when there is more than one',
    reason: 'FieldValueRequired',
  },
  {
    rule: 'self.all(p, !has(p.name) || self.exists_one(q, has(q.name) && p.name == q.name))',
    message: 'names must be unique',
    messageExpression: "'names must be unique: %s'.format([self.filter(p, has(p.name)).map(p, p.name)])",
    reason: 'FieldValueInvalid',
  },
  {
    rule: `self.all(p, !has(p.nodePort) || self.exists_one(q, ${sameNodePort}))`,
    message: 'nodePorts must be unique',
    messageExpression: "'nodePorts must be unique: %s'.format([self.filter(p, has(p.nodePort)).map(p, p.nodePort)])",
    reason: 'FieldValueInvalid',
  },
];

/**
 * The name of a container port has at least one letter and no two dashes in a row; a text of digits is a port number.
 */
export const targetPortRules: readonly ValidationRule[] = [
  {
    rule: "type(self) == int ? (self >= 1 && self <= 65535) : (self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$') && self.matches('[a-z]') && !self.contains('--'))",
    message:
      'must be a number from 1 to 65535, or the name of a container port: at most 15 of a-z, 0-9 and single dashes',
    reason: 'FieldValueInvalid',
  },
];

export const rollingUpdateRules: readonly ValidationRule[] = [
  {
    rule: "self.matches('^(100|[1-9][0-9]?)%$')",
    message: 'must be a percentage above 0% and up to 100%, such as 30%',
    messageExpression: "'%s: must be a percentage above 0%% and up to 100%%, such as 30%%'.format([self])",
    reason: 'FieldValueInvalid',
  },
];
