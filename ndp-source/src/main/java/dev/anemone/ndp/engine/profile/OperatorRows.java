// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine.profile;

import java.util.OptionalLong;

/**
 * The rows that an operator of the engine has given.
 *
 * @param number its place in the query, from 1: what reads comes before what is read
 * @param name as the engine calls it, such as {@code HASH_JOIN}
 * @param estimated how many rows the engine expected; empty where it does not say
 * @param rows how many there were
 */
public record OperatorRows(int number, String name, OptionalLong estimated, long rows) {}
