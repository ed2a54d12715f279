// SPDX-License-Identifier: Apache-2.0
/** Side inputs: gathered in the heap while there is room, else in a table on local disk. */
package dev.anemone.beam.sideinput;
