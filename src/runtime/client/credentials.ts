// Turns a kubeconfig user into what a request carries: TLS material and headers. Files are read anew on every call,
// so a rotated token, CA or client certificate is picked up; plug-ins are run by client-node's own authenticators.

import { readFile } from 'node:fs/promises';
import type { User } from '@kubernetes/client-node/dist/config_types.js';
import { ExecAuth } from '@kubernetes/client-node/dist/exec_auth.js';
import { type Access, tokenFileOf } from './access.ts';

export interface Credentials {
  readonly tls: TlsMaterial;
  readonly headers: Headers;
}

/** A header that may come several times has a list. */
export type Headers = Readonly<Record<string, string | string[]>>;

/** PEM texts. */
export interface TlsMaterial {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

/** What a plug-in fills in; the shape that client-node's authenticators write to. */
interface PluginAnswer {
  headers: Record<string, string>;
  cert?: string;
  key?: string;
}

interface Plugin {
  applyAuthentication(user: User, answer: PluginAnswer): Promise<void>;
}

export class CredentialReader {
  readonly #access: Access;
  #plugin: Plugin | undefined;

  constructor(access: Access) {
    this.#access = access;
  }

  /** How long credentials stay good without looking again: plug-ins keep their own expiry, asking them is cheap. */
  get maxAgeMs(): number {
    return usesPlugin(this.#access.user) ? 1_000 : 60_000;
  }

  async read(): Promise<Credentials> {
    const { cluster, user, impersonateGroups = [] } = this.#access;
    const [ca, cert, key, token] = await Promise.all([
      contents(cluster.caFile, cluster.caData),
      contents(user.certFile, user.certData),
      contents(user.keyFile, user.keyData),
      tokenOf(user),
    ]);
    const answer = await this.#askPlugin();
    return {
      tls: definedOnly({ ca, cert: answer.cert ?? cert, key: answer.key ?? key }),
      headers: {
        ...headersOf(user, token),
        ...(impersonateGroups.length > 0 && { 'impersonate-group': [...impersonateGroups] }),
        ...lowerCased(answer.headers),
      },
    };
  }

  /** Makes the next read run the plug-in again, although its last answer has not expired. */
  forget(): void {
    this.#plugin = undefined;
  }

  async #askPlugin(): Promise<PluginAnswer> {
    const { user } = this.#access;
    const answer: PluginAnswer = { headers: {} };
    if (!usesPlugin(user)) return answer;
    this.#plugin ??= await pluginFor(user);
    await this.#plugin.applyAuthentication(withExecInfo(user, this.#access), answer);
    return answer;
  }
}

function usesPlugin(user: User): boolean {
  return Boolean(user.exec) || (Boolean(user.authProvider) && tokenFileOf(user) === undefined);
}

async function pluginFor(user: User): Promise<Plugin> {
  if (user.exec || user.authProvider.name === 'exec') return new ExecAuth() as Plugin;
  if (user.authProvider.name === 'oidc') {
    // Loaded only by those who use it: it brings the whole of client-node's generated code with it.
    const { OpenIDConnectAuth } = await import('@kubernetes/client-node/dist/oidc_auth.js');
    return new OpenIDConnectAuth() as unknown as Plugin;
  }
  throw new Error(`user "${user.name}": auth-provider "${user.authProvider.name}" is unknown; use an exec plug-in`);
}

/** Plug-ins learn from KUBERNETES_EXEC_INFO which API version to answer in; client-node does not set it. */
function withExecInfo(user: User, { cluster }: Access): User {
  if (!user.exec) return user;
  const clusterInfo = { server: cluster.server, 'certificate-authority-data': cluster.caData };
  const info = {
    kind: 'ExecCredential',
    apiVersion: user.exec.apiVersion,
    spec: { interactive: false, ...(user.exec.provideClusterInfo ? { cluster: clusterInfo } : {}) },
  };
  const env = [...(user.exec.env ?? []), { name: 'KUBERNETES_EXEC_INFO', value: JSON.stringify(info) }];
  return { ...user, exec: { ...user.exec, env } };
}

async function tokenOf(user: User): Promise<string | undefined> {
  const file = tokenFileOf(user);
  if (file === undefined) return user.token;
  const token = (await readFile(file, 'utf8')).trim();
  // The file was read while it was written: without a token the API server would treat requests as anonymous.
  if (token === '') throw new Error(`${file} is empty`);
  return token;
}

function headersOf(user: User, token: string | undefined): Record<string, string> {
  const headers: Record<string, string> = {};
  if (token) headers.authorization = `Bearer ${token}`;
  else if (user.username) headers.authorization = basicAuth(user);
  if (user.impersonateUser) headers['impersonate-user'] = user.impersonateUser;
  return headers;
}

/** Header names as ours are written, so that none is sent twice. */
function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function basicAuth({ username, password }: User): string {
  return `Basic ${Buffer.from(`${username}:${password ?? ''}`).toString('base64')}`;
}

async function contents(file: string | undefined, base64: string | undefined): Promise<string | undefined> {
  if (file) return readFile(file, 'utf8');
  return base64 ? Buffer.from(base64, 'base64').toString('utf8') : undefined;
}

function definedOnly(material: { [Key in keyof TlsMaterial]: string | undefined }): TlsMaterial {
  return Object.fromEntries(Object.entries(material).filter(([, value]) => value !== undefined));
}
