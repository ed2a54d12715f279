// SPDX-License-Identifier: Apache-2.0
/** What the tests of all modules share. */
package dev.anemone.testing;

