// Gives a program on Prisma its driver for PostgreSQL, where the engine of Prisma was not downloaded: the client was generated
// with `engineType = "client"`, and `@prisma/adapter-pg` is installed beside it.
'use strict';
const Module = require('module');

const ownLoad = Module._load;
let client;
Module._load = function load(request, ...rest) {
  const loaded = ownLoad.call(this, request, ...rest);
  if (request !== '@prisma/client') return loaded;
  if (!client) {
    const { PrismaPg } = rest[0].require('@prisma/adapter-pg');
    class PrismaClient extends loaded.PrismaClient {
      constructor(options) {
        super({ ...options, adapter: new PrismaPg({ connectionString: process.env.DATABASE_URL }) });
      }
    }
    client = { ...loaded, PrismaClient };
  }
  return client;
};
