// SPDX-License-Identifier: Apache-2.0
/**
 * Blocks of a cluster's nodes: where they lie so that YARN's shuffle handler finds them, and how
 * they are fetched from it.
 *
 * <p>The usual handler is {@code mapreduce_shuffle}, an auxiliary service of every node manager.
 * What that of Hadoop 3.4.2 asks of a block:
 *
 * <ul>
 *   <li><b>Place.</b> {@code
 *       usercache/<user>/appcache/application_<timestamp>_<number>/output/<name>} below one of the
 *       node manager's local directories, with {@code file.out} and {@code file.out.index} in it.
 *       The user is who submitted the application. The first local directory that has the file is
 *       taken, and its path remembered for five minutes after the last request.
 *   <li><b>Name.</b> One component of a path, without a comma. Indexes are remembered by the name
 *       alone, not by application, for as long as there is room for them (10 MB): a name must never
 *       stand for two blocks, so it has the application and the attempt in it.
 *   <li><b>Index.</b> For each partition offset, raw length and stored length, then a CRC-32 of all
 *       that, each a big-endian long. What is sent is the bytes from the offset on; a file that
 *       ends earlier makes the handler cut the connection.
 *   <li><b>Rights.</b> The node manager's user reads both files. Where containers run as their own
 *       users (the Linux container executor), the user's directory has mode 2750 and the node
 *       manager's group, which all below inherits; files have mode 640 whatever the umask is, and
 *       the umask must leave directories readable for the group, as 027 does. With Kerberos, the
 *       files' owner must also be the application's user.
 *   <li><b>Token.</b> The handler knows an application's job token since the first container of the
 *       application has started on its node, which had the token among its service data; until then
 *       it answers 401. It is gone when the application ends.
 * </ul>
 *
 * <p>And what it does on a connection: it answers one request after the other, and closes the
 * connection after an error, or when a kept connection was idle for five seconds. It keeps
 * connections for requests that ask for it in the query, whatever its settings are. Requests must
 * not be sent ahead, since answers are written piece by piece.
 *
 * <p>The handler of Tez ({@code tez_shuffle}) differs in this: blocks are below {@code dag_<n>} in
 * the application's directory, requests have {@code dag=<n>}, and answers begin with the number of
 * partitions, since it can be asked for several. It deletes nothing that it is not asked to.
 *
 * <p>Encrypted shuffle ({@code mapreduce.shuffle.ssl.enabled}) is not supported.
 */
package dev.anemone.runtime.tez.handler;
