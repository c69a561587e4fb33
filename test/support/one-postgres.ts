/**
 * One PostgreSQL for all test files that only want a database. It starts with the first that asks, and stops with the run. A file that stops
 * its server, or sets it up otherwise, starts one of its own (`startPostgres`).
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { openPool, type PostgresDatabase, type PostgresServer, startPostgres } from './postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the process that runs the tests says where the server is. */
    postgresDoor: string;
  }
}

/** The global set-up of the tests. */
export default async function openDoor(project: TestProject): Promise<() => Promise<void>> {
  let server: Promise<PostgresServer> | undefined;
  const door = createServer((_, response) => {
    server ??= startPostgres();
    server.then(
      ({ url }) => response.end(url),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  }).listen(0, '127.0.0.1');
  await once(door, 'listening');
  project.provide('postgresDoor', `http://127.0.0.1:${(door.address() as AddressInfo).port}/`);
  return async () => {
    door.close();
    await (await server)?.stop();
  };
}

let databases = 0;

/** A database of its own, empty. `stop` takes it away, and whoever is still connected to it is cut off. */
export async function ownDatabase(): Promise<PostgresDatabase> {
  const answer = await fetch(inject('postgresDoor'));
  const url = await answer.text();
  if (!answer.ok) throw new Error(`no PostgreSQL for the tests: ${url}`);
  const name = `test_${process.pid}_${databases++}`;
  const admin = async (statement: string): Promise<void> => {
    const pool = openPool({ url }, 1);
    await pool.query(statement);
    await pool.end();
  };
  await admin(`CREATE DATABASE ${name}`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  return {
    url: own.href,
    password: decodeURIComponent(own.password),
    stop: () => admin(`DROP DATABASE ${name} WITH (FORCE)`),
  };
}

/** Such a database for the tests of a file, made before them and taken away after them. */
export function usePostgres(): () => PostgresDatabase {
  let database: PostgresDatabase;
  beforeAll(async () => {
    database = await ownDatabase();
  });
  afterAll(() => database.stop());
  return () => database;
}
