// SPDX-License-Identifier: Apache-2.0
/** A group-by and a broadcast whose bytes go through files, through pushing and through a pool. */
package dev.anemone.evaluation.compare.poolgroupby;
