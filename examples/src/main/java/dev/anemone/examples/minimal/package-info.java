// SPDX-License-Identifier: Apache-2.0
/** The smallest pipeline that does something: what it takes is what every pipeline takes. */
package dev.anemone.examples.minimal;
