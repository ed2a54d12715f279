// SPDX-License-Identifier: Apache-2.0
/** How fast tasks push over Netty and over the transports. */
package dev.anemone.evaluation.compare.pushwires;
