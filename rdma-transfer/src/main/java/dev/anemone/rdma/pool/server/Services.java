// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.server;

import dev.anemone.rdma.pool.AccessToken;
import dev.anemone.rdma.pool.protocol.Reply;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What a connection needs of its server.
 *
 * @param poolName what the pool is called
 * @param operator the token of those who may stop the server; empty when nobody may
 * @param welcome what a connection is told when it is let in
 */
record Services(
    String poolName,
    AccessToken token,
    Optional<AccessToken> operator,
    AcceptedConnections connections,
    PageTable pages,
    Quarantine quarantine,
    Peers peers,
    Dispatcher dispatcher,
    Supplier<Reply.Welcome> welcome) {}
